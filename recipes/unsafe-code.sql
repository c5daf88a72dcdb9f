-- Unsafe functions and functions with unsafe blocks.
--
-- The compiler does not check these places; a reader must. Each should say in a comment why what it does is
-- allowed.
--
-- Limits: only what a language calls unsafe is seen (Rust's `unsafe`, C#'s `unsafe` and the like); foreign
-- calls and unchecked casts without that word are not. What macros stand for is not known.
--
-- @level note
-- @param path string * Only files whose path matches this glob
-- @param tests boolean false Also look at test code
-- @action justify Say in a comment which conditions make it sound.
-- @tags safety
SELECT
    qualified_name,
    kind,
    is_unsafe,
    coalesce(unsafe_blocks, 0) AS unsafe_blocks,
    file_path,
    line_start,
    line_end,
    qualified_name || CASE
        WHEN is_unsafe THEN ' is unsafe to use'
        WHEN unsafe_blocks = 1 THEN ' has an unsafe block'
        ELSE ' has ' || unsafe_blocks || ' unsafe blocks' END AS message
FROM symbols
WHERE (is_unsafe OR unsafe_blocks > 0)
  AND file_path GLOB :path
  AND (:tests OR NOT (is_test OR in_test_file))
ORDER BY unsafe_blocks DESC, file_path, line_start;

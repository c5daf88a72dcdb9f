-- Built once, when all rows are there.
CREATE UNIQUE INDEX file_path ON file (path) WHERE retired IS NULL;
CREATE INDEX file_retired ON file (content_hash) WHERE retired IS NOT NULL;
CREATE UNIQUE INDEX name_text ON name (text);
CREATE INDEX symbol_name ON symbol (name_id);
CREATE INDEX symbol_adds_to ON symbol (adds_to_id) WHERE adds_to_id IS NOT NULL;
CREATE INDEX import_shared ON import (file_id) WHERE flags & 512 <> 0;
CREATE INDEX import_re_export ON import (name_id) WHERE flags & 8 <> 0;
CREATE INDEX import_target ON import (target_id) WHERE target_id IS NOT NULL;
CREATE INDEX namespace_file ON namespace (file_id);

-- Built once, when all rows are there.
CREATE UNIQUE INDEX file_path ON file (path);
CREATE INDEX name_text ON name (text COLLATE NOCASE);
CREATE INDEX symbol_name ON symbol (name);
CREATE INDEX symbol_file ON symbol (file_id, number);

function r = small_ini_parser()
text = sprintf('%s\n', '[server]', 'host = alpha', 'port=8080', '; remark', '', '[paths]', 'root = /tmp/x', 'depth = 3', 'list = 1, 2, 3');
text = repmat(text, 1, 3); lines = strsplit(text, sprintf('\n')); cfg = struct(); section = '';
for k = 1:numel(lines)
    s = strtrim(lines{k});
    if isempty(s) || s(1) == ';', continue, end
    if s(1) == '[', section = s(2:end-1); if ~isfield(cfg, section), cfg.(section) = struct(); end, continue, end
    [key, value] = strtok(s, '='); key = strtrim(key); value = strtrim(value(2:end)); v = str2double(value);
    if ~isnan(v), value = v; end
    cfg.(section).(key) = value;
end
n = fieldnames(cfg); r = '';
for k = 1:numel(n), r = [r n{k} ':' strjoin(fieldnames(cfg.(n{k}))', '|') ';']; end
r = sprintf('%s%d', r, cfg.server.port + cfg.paths.depth);
end

function name = tilde_expand(name)
% name = tilde_expand(name): names of files with the home folder in the place of ~ (Octave's).
if iscell(name)
    name = cellfun(@tilde_expand, name, 'UniformOutput', false);
    return
end
if ~ischar(name)
    error('tilde_expand:invalidType', 'The input of tilde_expand must be text or a cell of texts.');
end
if strcmp(name, '~') || strncmp(name, '~/', 2)
    name = [get_home_directory() name(2:end)];
end
end

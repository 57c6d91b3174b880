function tf = is_absolute_filename(name)
% tf = is_absolute_filename(name): true for the name of a file that begins at the root (Octave's).
tf = ischar(name) && ~isempty(regexp(name, '^(/|\\|[A-Za-z]:[/\\])', 'once'));
end

function tf = is_rooted_relative_filename(name)
% tf = is_rooted_relative_filename(name): true for names that begin with ./ or ../ (Octave's).
tf = ischar(name) && ~isempty(regexp(name, '^\.\.?([/\\]|$)', 'once'));
end

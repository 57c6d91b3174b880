function name = get_home_directory()
% name = get_home_directory(): the folder of the user (Octave's).
name = getenv('HOME');
if isempty(name)
    name = getenv('USERPROFILE');
end
end

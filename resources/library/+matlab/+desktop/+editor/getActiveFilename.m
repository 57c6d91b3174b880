function file = getActiveFilename()
% getActiveFilename: the file that is run, empty where commands are typed.
frames = dbstack('-completenames');
file = '';
if numel(frames) > 1
    file = frames(end).file;
end
end

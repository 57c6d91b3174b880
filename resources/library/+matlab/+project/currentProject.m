function project = currentProject()
% The project that is open. Without one it is that whose folder holds the script that runs, or the
%   current folder; it is opened.
project = matlab.project.internal.open();
if ~isempty(project)
    return
end
callers = dbstack('-completenames');
places = [cellfun(@fileparts, {callers.file}, 'UniformOutput', false), {pwd}];
for k = numel(places):-1:1
    folder = places{k};
    above = fileparts(folder);
    while ~isempty(folder) && isempty(dir(fullfile(folder, '*.prj'))) && ~strcmp(above, folder)
        folder = above;
        above = fileparts(folder);
    end
    if ~isempty(folder) && ~isempty(dir(fullfile(folder, '*.prj')))
        project = openProject(folder);
        return
    end
end
error('MATLAB:project:api:NoProjectCurrentlyLoaded', 'No project is currently loaded.');
end

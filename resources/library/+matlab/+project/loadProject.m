function project = loadProject(place)
% Open the project of a folder or a .prj file: its folders are on the path until it is closed.
place = char(place);
if endsWith(place, '.prj')
    [root, name] = fileparts(place);
    found = isfile(place);
else
    files = dir(fullfile(place, '*.prj'));
    found = ~isempty(files);
    root = place;
    name = '';
    if found
        [~, name] = fileparts(files(1).name);
    end
end
if ~found
    error('MATLAB:project:api:LoadFail', 'There is no project in ''%s''.', place);
end
if isempty(root)
    root = '.';
end
listed = dir(root);
root = listed(1).folder;
before = matlab.project.internal.open();
if ~isempty(before)
    if before.RootFolder == string(root)
        project = before;
        return
    end
    close(before);
end
project = matlab.project.Project(root, name);
matlab.project.internal.open(project);
end

function project = openProject(place)
% openProject(folder), openProject('name.prj'): open a MATLAB project. The folders of its path are on
%   the path until it is closed; its startup files are not run.
project = matlab.project.loadProject(place);
end

classdef Project < handle
    % A MATLAB project: the folder that holds its .prj file, and what is on its path.
    %   Startup files of projects are not run.
    properties (SetAccess = private)
        Name = "";
        RootFolder = "";
    end

    properties (Hidden, SetAccess = private)
        Folders = {};
    end

    methods
        function project = Project(root, name)
            % The project in a folder, with its path added.
            project.RootFolder = string(root);
            project.Name = string(name);
            project.Folders = pathOf(root);
            for k = 1:numel(project.Folders)
                addpath(project.Folders{k});
            end
        end

        function tf = isLoaded(project)
            % Whether it is the one that is open.
            open = matlab.project.internal.open();
            tf = ~isempty(open) && open == project;
        end

        function close(project)
            % Close it: its folders leave the path.
            for k = 1:numel(project.Folders)
                rmpath(project.Folders{k});
            end
            project.Folders = {};
            matlab.project.internal.open([]);
        end
    end
end

function found = pathOf(root)
% The folders of the project's path that exist; its definition has a file for each.
found = {};
entries = dir(fullfile(root, 'resources', 'project', 'EEtUlUb-dLAdf0KpMVivaUlztwA', '*d.xml'));
for k = 1:numel(entries)
    text = fileread(fullfile(entries(k).folder, entries(k).name));
    place = regexp(text, '<Info\s+Ref="([^"]*)"\s+Type="Relative"', 'tokens', 'once');
    if ~isempty(place) && isfolder(fullfile(root, place{1}))
        found{end + 1} = fullfile(root, place{1}); %#ok<AGROW>
    end
end
end

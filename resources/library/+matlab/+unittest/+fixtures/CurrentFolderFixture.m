classdef CurrentFolderFixture < matlab.unittest.fixtures.Fixture
    % The folder in which a test runs.
    properties
        Folder
    end

    methods
        function fixture = CurrentFolderFixture(folder)
            fixture.Folder = folder;
        end

        function setup(fixture)
            before = cd(fixture.Folder);
            fixture.addTeardown(@cd, before);
        end
    end
end

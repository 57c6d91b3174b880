classdef WorkingFolderFixture < matlab.unittest.fixtures.TemporaryFolderFixture
    % An empty folder in which a test runs.
    methods
        function setup(fixture)
            setup@matlab.unittest.fixtures.TemporaryFolderFixture(fixture);
            before = cd(fixture.Folder);
            fixture.addTeardown(@cd, before);
        end
    end
end

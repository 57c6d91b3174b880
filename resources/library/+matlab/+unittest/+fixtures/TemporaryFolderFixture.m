classdef TemporaryFolderFixture < matlab.unittest.fixtures.Fixture
    % An empty folder that is there as long as a test runs.
    properties
        Folder = ''
    end

    methods
        function setup(fixture)
            fixture.Folder = tempname();
            mkdir(fixture.Folder);
            fixture.addTeardown(@rmdir, fixture.Folder, 's');
        end
    end
end

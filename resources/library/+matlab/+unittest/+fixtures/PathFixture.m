classdef PathFixture < matlab.unittest.fixtures.Fixture
    % A folder that is on the search path during a test.
    properties
        Folder
    end

    methods
        function fixture = PathFixture(folder)
            fixture.Folder = folder;
        end

        function setup(fixture)
            fixture.addTeardown(@path, path());
            addpath(fixture.Folder);
        end
    end
end

classdef SuppressedWarningsFixture < matlab.unittest.fixtures.Fixture
    % Warnings that are off during a test.
    properties
        Warnings
    end

    methods
        function fixture = SuppressedWarningsFixture(warnings)
            fixture.Warnings = cellstr(warnings);
        end

        function setup(fixture)
            before = warning();
            fixture.addTeardown(@warning, before);
            cellfun(@(identifier) warning('off', identifier), fixture.Warnings);
        end
    end
end

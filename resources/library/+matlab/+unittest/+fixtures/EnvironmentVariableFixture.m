classdef EnvironmentVariableFixture < matlab.unittest.fixtures.Fixture
    % A variable of the environment that has another value while a test runs.
    properties
        Name = ''
        Value = ''
    end

    methods
        function fixture = EnvironmentVariableFixture(name, value)
            fixture.Name = name;
            fixture.Value = value;
        end

        function setup(fixture)
            if isenv(fixture.Name)
                fixture.addTeardown(@setenv, fixture.Name, getenv(fixture.Name));
            else
                fixture.addTeardown(@unsetenv, fixture.Name);
            end
            setenv(fixture.Name, fixture.Value);
        end
    end
end

classdef TestRunner
    % Runs tests: runner = TestRunner.withTextOutput; results = run(runner, suite).
    properties (Hidden)
        Quiet = false
    end

    methods (Static)
        function runner = withTextOutput(varargin)
            runner = matlab.unittest.TestRunner;
        end

        function runner = withNoPlugins()
            runner = matlab.unittest.TestRunner;
            runner.Quiet = true;
        end
    end

    methods
        function results = run(runner, tests)
            if runner.Quiet
                evalc('results = runtests(tests);');
            else
                results = runtests(tests);
            end
        end

        function addPlugin(~, plugin)
            error('MATLAB:unittest:TestRunner:Plugin', ['The plugin %s is not available; ', ...
                '''fuselab test'' writes JUnit files and coverage.'], class(plugin));
        end
    end
end

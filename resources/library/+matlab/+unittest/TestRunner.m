classdef TestRunner < handle
    % Runs tests: runner = TestRunner.withTextOutput; results = run(runner, suite).
    properties (Hidden)
        Quiet = false
        Plugins = {}
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
            for plugin = runner.Plugins
                take(plugin{1}, results);
            end
        end

        function addPlugin(runner, plugin)
            % A plugin takes the results when all tests are over.
            runner.Plugins{end + 1} = plugin;
        end
    end
end

classdef (Abstract) Plugin
    % What a runner hands its results to: runner.addPlugin(plugin).
    methods (Abstract)
        take(plugin, results)
    end
end

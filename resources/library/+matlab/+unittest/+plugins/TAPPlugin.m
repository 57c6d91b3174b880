classdef TAPPlugin < matlab.unittest.plugins.Plugin
    % Writes results in the Test Anything Protocol, to the output or TAPPlugin.producingVersion13(ToFile(f)).
    properties (SetAccess = private)
        Stream = []
        Version = ''
    end

    methods (Static)
        function plugin = producingVersion13(varargin)
            plugin = matlab.unittest.plugins.TAPPlugin(sprintf('TAP version 13\n'), varargin{:});
        end

        function plugin = producingOriginalFormat(varargin)
            plugin = matlab.unittest.plugins.TAPPlugin('', varargin{:});
        end
    end

    methods (Access = private)
        function plugin = TAPPlugin(version, stream)
            plugin.Version = version;
            if nargin > 1
                plugin.Stream = stream;
            end
        end
    end

    methods
        function take(plugin, results)
            file = 1;
            if ~isempty(plugin.Stream)
                file = fopen(plugin.Stream.Filename, plugin.Stream.Mode);
                closing = onCleanup(@() fclose(file));
            end
            fprintf(file, '%s1..%d\n', plugin.Version, numel(results));
            for k = 1:numel(results)
                said = 'ok';
                if results(k).Failed
                    said = 'not ok';
                end
                skipped = '';
                if results(k).Incomplete
                    skipped = ' # SKIP';
                end
                fprintf(file, '%s %d - %s%s\n', said, k, results(k).Name, skipped);
            end
        end
    end
end

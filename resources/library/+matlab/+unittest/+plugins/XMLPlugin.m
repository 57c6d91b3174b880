classdef XMLPlugin < matlab.unittest.plugins.Plugin
    % Writes results as JUnit XML: XMLPlugin.producingJUnitFormat(file).
    properties (SetAccess = private)
        File
    end

    methods (Static)
        function plugin = producingJUnitFormat(file)
            plugin = matlab.unittest.plugins.XMLPlugin;
            plugin.File = char(file);
        end
    end

    methods
        function take(plugin, results)
            groups = extractBefore(string({results.Name}) + "/", "/");
            lines = ["<?xml version=""1.0"" encoding=""utf-8""?>"; "<testsuites>"];
            for group = unique(groups, 'stable')
                tests = results(groups == group);
                lines(end + 1) = sprintf( ...
                    '  <testsuite name="%s" tests="%d" failures="%d" skipped="%d" time="%.6f">', ...
                    escaped(group), numel(tests), nnz([tests.Failed]), nnz([tests.Incomplete]), ...
                    sum([tests.Duration])); %#ok<AGROW>
                for test = tests
                    lines = [lines; row(group, test); "    </testcase>"]; %#ok<AGROW>
                end
                lines(end + 1) = "  </testsuite>"; %#ok<AGROW>
            end
            writelines([lines; "</testsuites>"], plugin.File);
        end
    end
end

function lines = row(group, test)
% What is told of one test.
name = extractAfter(string(test.Name), "/");
lines = string(sprintf('    <testcase classname="%s" name="%s" time="%.6f">', ...
    escaped(group), escaped(name), test.Duration));
if ~test.Passed
    kind = 'failure';
    if test.Incomplete
        kind = 'skipped';
    end
    first = extractBefore(string(test.Details) + newline, newline);
    lines(2, 1) = sprintf('      <%s message="%s">%s</%s>', kind, escaped(first), ...
        escaped(test.Details), kind);
end
end

function text = escaped(text)
% A text as XML holds it.
text = replace(string(text), ["&", "<", ">", """"], ["&amp;", "&lt;", "&gt;", "&quot;"]);
end

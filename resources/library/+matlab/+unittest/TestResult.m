classdef TestResult
    % How a test ended.
    properties
        Name = ''
        Passed = false
        Failed = false
        Incomplete = false
        Duration = 0
        Details = ''
    end

    methods
        function result = TestResult(name, state, seconds, details)
            if nargin > 0
                result.Name = name;
                result.Passed = strcmp(state, 'passed');
                result.Failed = strcmp(state, 'failed');
                result.Incomplete = strcmp(state, 'incomplete');
                result.Duration = seconds;
                result.Details = details;
            end
        end

        function made = table(results)
            % A row per test.
            made = table({results.Name}', [results.Passed]', [results.Failed]', ...
                [results.Incomplete]', [results.Duration]', {results.Details}', 'VariableNames', ...
                {'Name', 'Passed', 'Failed', 'Incomplete', 'Duration', 'Details'});
        end

        function assertSuccess(results)
            % An error unless every test passed.
            bad = ~[results.Passed];
            if any(bad)
                error('MATLAB:unittest:TestResult:UnsuccessfulRun', ...
                    '%d of %d tests did not pass: %s', nnz(bad), numel(bad), ...
                    strjoin({results(bad).Name}, ', '));
            end
        end
    end
end

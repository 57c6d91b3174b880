classdef Test
    % A test that can be run; testsuite and matlab.unittest.TestSuite find tests.
    properties
        Name = ''
        ProcedureName = ''
        TestClass = ''
        BaseFolder = ''
        Tags = {}
        Parameterization = struct('Method', {}, 'Property', {}, 'Name', {}, 'Number', {})
    end

    properties (Hidden)
        File = ''
        Kind = ''
        Group = ''
        Line = 0
        Last = 0
        Unknown = {}
        ClassSetup = struct('Method', {}, 'Property', {}, 'Name', {}, 'Number', {})
        MethodSetup = struct('Method', {}, 'Property', {}, 'Name', {}, 'Number', {})
        Actions = []
    end

    methods
        function test = Test(facts)
            % What is known of a test, as a struct with names of properties.
            if nargin > 0
                for name = fieldnames(facts)'
                    test.(name{1}) = facts.(name{1});
                end
            end
        end

        function results = run(tests)
            % Run the tests.
            results = runtests(tests);
        end

        function chosen = selectIf(tests, varargin)
            % The tests that match: selectIf(tests, 'Name', '*fast*', 'Tag', 'Unit').
            keep = true(1, numel(tests));
            for k = 1:2:numel(varargin)
                pattern = ['^', regexptranslate('wildcard', char(varargin{k + 1})), '$'];
                fits = @(text) any(~cellfun('isempty', regexp(cellstr(text), pattern, 'once')));
                switch lower(char(varargin{k}))
                    case 'name'
                        keep = keep & cellfun(fits, {tests.Name});
                    case 'procedurename'
                        keep = keep & cellfun(fits, {tests.ProcedureName});
                    case 'tag'
                        keep = keep & cellfun(@(tags) ~isempty(tags) && fits(tags), {tests.Tags});
                    otherwise
                        error('MATLAB:unittest:UnknownOption', ...
                            '''%s'' is no way to choose tests: Name, ProcedureName, Tag.', ...
                            char(varargin{k}));
                end
            end
            chosen = tests(keep);
        end
    end
end

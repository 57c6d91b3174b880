classdef TestCase < matlab.unittest.internal.Strict
    % Tests and what they check. A test class derives from this; a test function is given one.
    %   verify... notes a failure and goes on, assert... and fatalAssert... end the test, assume...
    %   ends it as incomplete.
    properties
        TestData = struct()
    end

    properties (Hidden)
        Failures = {}
        Teardown = {}
    end

    methods
        function results = run(testCase, name)
            % run(testCase), run(testCase, name): run the tests of its class, or one of them.
            chosen = {};
            if nargin > 1, chosen = {'ProcedureName', name}; end
            results = run(testsuite(class(testCase), chosen{:}));
        end

        function addTeardown(testCase, action, varargin)
            % Call action(varargin{:}) when the test is over.
            testCase.Teardown{end + 1} = @() action(varargin{:});
        end

        function fixture = applyFixture(testCase, fixture)
            % Set a fixture up; it is taken down when the test is over.
            fixture.setup();
            testCase.addTeardown(@() fixture.leave());
        end

        function log(~, varargin)
            % log(testCase, text), log(testCase, level, text): told where the level is Terse (1);
            %   without a level it is Concise (2).
            if isempty(varargin)
                error('MATLAB:minrhs', 'Not enough input arguments.');
            end
            level = 2;
            if nargin > 2, level = double(varargin{1}); end
            if level ~= 1, return, end
            fprintf('[Terse] Diagnostic logged (%s): %s\n', ...
                char(datetime('now', 'Format', 'uuuu-MM-dd HH:mm:ss')), ...
                matlab.unittest.internal.textof(varargin{end}));
        end

        function folder = createTemporaryFolder(testCase)
            % A folder that is there until the test is over.
            fixture = testCase.applyFixture(matlab.unittest.fixtures.TemporaryFolderFixture);
            folder = fixture.Folder;
        end

        function finish(testCase)
            % Run what was asked for at the end, last first.
            while ~isempty(testCase.Teardown)
                action = testCase.Teardown{end};
                testCase.Teardown(end) = [];
                action();
            end
        end

        function verifyEqual(testCase, actual, expected, varargin)
            testCase.verify(matlab.unittest.internal.compare(actual, expected, varargin{:}));
        end

        function verifyNotEqual(testCase, actual, prohibited, varargin)
            report = matlab.unittest.internal.compare(actual, prohibited);
            testCase.verify(matlab.unittest.internal.unless(~isempty(report), ...
                'The values are equal.', varargin{:}));
        end

        function verifyTrue(testCase, actual, varargin)
            good = islogical(actual) && isscalar(actual) && actual;
            testCase.verify(matlab.unittest.internal.unless(good, ...
                'The value is not a true scalar.', varargin{:}));
        end

        function verifyFalse(testCase, actual, varargin)
            good = islogical(actual) && isscalar(actual) && ~actual;
            testCase.verify(matlab.unittest.internal.unless(good, ...
                'The value is not a false scalar.', varargin{:}));
        end

        function verifyEmpty(testCase, actual, varargin)
            testCase.verify(matlab.unittest.internal.unless(isempty(actual), ...
                'The value is not empty.', varargin{:}));
        end

        function verifyNotEmpty(testCase, actual, varargin)
            testCase.verify(matlab.unittest.internal.unless(~isempty(actual), ...
                'The value is empty.', varargin{:}));
        end

        function verifySize(testCase, actual, expected, varargin)
            text = sprintf('The size is [%s] instead of [%s].', num2str(size(actual)), ...
                num2str(expected));
            testCase.verify(matlab.unittest.internal.unless(isequal(size(actual), expected), ...
                text, varargin{:}));
        end

        function verifyLength(testCase, actual, expected, varargin)
            text = sprintf('The length is %d instead of %d.', length(actual), expected);
            testCase.verify(matlab.unittest.internal.unless(length(actual) == expected, text, ...
                varargin{:}));
        end

        function verifyNumElements(testCase, actual, expected, varargin)
            text = sprintf('There are %d elements instead of %d.', numel(actual), expected);
            testCase.verify(matlab.unittest.internal.unless(numel(actual) == expected, text, ...
                varargin{:}));
        end

        function verifyClass(testCase, actual, expected, varargin)
            if ~ischar(expected) && ~isstring(expected)
                expected = expected.Name;
            end
            text = sprintf('The class is %s instead of %s.', class(actual), expected);
            testCase.verify(matlab.unittest.internal.unless(strcmp(class(actual), expected), ...
                text, varargin{:}));
        end

        function verifyInstanceOf(testCase, actual, expected, varargin)
            if ~ischar(expected) && ~isstring(expected)
                expected = expected.Name;
            end
            text = sprintf('A %s is no %s.', class(actual), expected);
            testCase.verify(matlab.unittest.internal.unless(isa(actual, expected), text, ...
                varargin{:}));
        end

        function verifyGreaterThan(testCase, actual, floor, varargin)
            testCase.verify(matlab.unittest.internal.unless(all(actual(:) > floor(:)), ...
                'Not every element is greater.', varargin{:}));
        end

        function verifyGreaterThanOrEqual(testCase, actual, floor, varargin)
            testCase.verify(matlab.unittest.internal.unless(all(actual(:) >= floor(:)), ...
                'Some element is smaller.', varargin{:}));
        end

        function verifyLessThan(testCase, actual, ceiling, varargin)
            testCase.verify(matlab.unittest.internal.unless(all(actual(:) < ceiling(:)), ...
                'Not every element is smaller.', varargin{:}));
        end

        function verifyLessThanOrEqual(testCase, actual, ceiling, varargin)
            testCase.verify(matlab.unittest.internal.unless(all(actual(:) <= ceiling(:)), ...
                'Some element is greater.', varargin{:}));
        end

        function verifySubstring(testCase, actual, part, varargin)
            text = sprintf('''%s'' does not contain ''%s''.', actual, part);
            testCase.verify(matlab.unittest.internal.unless(contains(actual, part), text, ...
                varargin{:}));
        end

        function verifyMatches(testCase, actual, pattern, varargin)
            text = sprintf('''%s'' does not match ''%s''.', actual, pattern);
            found = ~isempty(regexp(actual, pattern, 'once'));
            testCase.verify(matlab.unittest.internal.unless(found, text, varargin{:}));
        end

        function verifySameHandle(testCase, actual, expected, varargin)
            same = isequal(size(actual), size(expected)) && all(actual == expected, 'all');
            testCase.verify(matlab.unittest.internal.unless(same, ...
                'The handles are of different objects.', varargin{:}));
        end

        function verifyNotSameHandle(testCase, actual, prohibited, varargin)
            same = isequal(size(actual), size(prohibited)) && all(actual == prohibited, 'all');
            testCase.verify(matlab.unittest.internal.unless(~same, ...
                'The handles are of the same objects.', varargin{:}));
        end

        function verifyReturnsTrue(testCase, action, varargin)
            found = action();
            good = islogical(found) && isscalar(found) && found;
            testCase.verify(matlab.unittest.internal.unless(good, ...
                'The function does not return a true scalar.', varargin{:}));
        end

        function verifyError(testCase, action, identifier, varargin)
            text = 'No error was thrown.';
            try
                action();
            catch problem
                text = '';
                if ~strcmp(problem.identifier, identifier)
                    text = sprintf('The error is ''%s'' (%s) instead of ''%s''.', ...
                        problem.identifier, problem.message, identifier);
                end
            end
            testCase.verify(matlab.unittest.internal.unless(isempty(text), text, varargin{:}));
        end

        function varargout = verifyWarning(testCase, action, identifier, varargin)
            [found, varargout] = matlab.unittest.internal.issued(action, nargout);
            text = sprintf('The warnings are [%s] instead of %s.', strjoin(found, ' '), identifier);
            testCase.verify(matlab.unittest.internal.unless(any(strcmp(found, identifier)), ...
                text, varargin{:}));
        end

        function varargout = verifyWarningFree(testCase, action, varargin)
            [found, varargout] = matlab.unittest.internal.issued(action, nargout);
            text = sprintf('There was a warning: %s %s', strjoin(found, ', '), lastwarn());
            testCase.verify(matlab.unittest.internal.unless(isempty(found), text, varargin{:}));
        end

        function verifyThat(testCase, actual, constraint, varargin)
            report = matlab.unittest.internal.objection(actual, constraint);
            testCase.verify(matlab.unittest.internal.unless(isempty(report), report, varargin{:}));
        end

        function verifyFail(testCase, varargin)
            testCase.verify(matlab.unittest.internal.unless(false, 'Failed.', varargin{:}));
        end
    end

    methods (Hidden)
        function verify(testCase, report)
            % Note a failure; an empty report is a success.
            if ~isempty(report)
                testCase.Failures{end + 1} = report;
            end
        end

        function strictly(testCase, ending, check, varargin)
            % Run a check whose failure ends the test: as failed, or as incomplete.
            before = numel(testCase.Failures);
            feval(check, testCase, varargin{:});
            if numel(testCase.Failures) > before
                text = testCase.Failures{end};
                if strcmp(ending, 'MATLAB:unittest:AssumptionFailed')
                    testCase.Failures(end) = [];
                end
                error(ending, '%s', text);
            end
        end
    end
end

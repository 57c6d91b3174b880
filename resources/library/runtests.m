function results = runtests(where, varargin)
% runtests(name): run the tests of files, classes or folders; without a name those of this folder.
%   The results have the fields Name, Passed, Failed, Incomplete, Duration and Details.
if nargin == 0
    where = pwd;
end
if isstruct(where)
    tests = where;
else
    tests = functiontests({});
    for name = cellstr(where)
        tests = [tests, testsuite(name{1})]; %#ok<AGROW>
    end
end
results = struct('Name', {}, 'Passed', {}, 'Failed', {}, 'Incomplete', {}, 'Duration', {}, ...
    'Details', {});
files = cellfun(@(name) strtok(name, '/'), {tests.Name}, 'UniformOutput', false);
for file = unique(files, 'stable')
    results = [results, together(file{1}, tests(strcmp(files, file{1})))]; %#ok<AGROW>
end
if nargout == 0
    fprintf('%d passed, %d failed, %d incomplete in %.3g s.\n', nnz([results.Passed]), ...
        nnz([results.Failed]), nnz([results.Incomplete]), sum([results.Duration]));
end
end

function results = together(file, tests)
% The tests of one file share what is set up once.
fprintf('Running %s\n', file);
[testCase, first] = prepared(tests(1).Once);
[report, state] = attempt(testCase, first);
results = struct('Name', {}, 'Passed', {}, 'Failed', {}, 'Incomplete', {}, 'Duration', {}, ...
    'Details', {});
for k = 1:numel(tests)
    started = tic;
    if isempty(report)
        [problem, found] = one(testCase, tests(k));
    else
        [problem, found] = deal(report, state);
    end
    failed = strcmp(found, 'failed');
    results(k) = struct('Name', tests(k).Name, 'Passed', isempty(problem), 'Failed', failed, ...
        'Incomplete', ~failed && ~isempty(problem), 'Duration', toc(started), 'Details', problem);
    mark = '.';
    if ~isempty(problem)
        mark = sprintf('\n%s %s:\n%s\n', tests(k).Name, found, problem);
    end
    fprintf('%s', mark);
end
attempt(testCase, tests(1).Finally);
fprintf('\nDone %s\n', file);
end

function [testCase, rest] = prepared(once)
% The test case: of the class itself, or one that carries TestData.
testCase = matlab.unittest.TestCase();
rest = once;
if ~isempty(once) && exist(func2str(once{1}), 'class') == 8
    testCase = once{1}();
    rest = once(2:end);
end
end

function [problem, state] = one(testCase, test)
% Set up, run and take down one test.
testCase.Failures = {};
[problem, state] = attempt(testCase, [test.Setup, {test.Run}]);
[late, lateState] = attempt(testCase, [test.Teardown, {@finish}]);
if isempty(problem)
    [problem, state] = deal(late, lateState);
end
end

function [problem, state] = attempt(testCase, actions)
% What went wrong with functions of a test case, and what that makes of the test.
[problem, state] = deal('', 'passed');
try
    for k = 1:numel(actions)
        actions{k}(testCase);
    end
catch thrown
    problem = thrown.message;
    state = 'failed';
    if strcmp(thrown.identifier, 'MATLAB:unittest:AssumptionFailed')
        state = 'incomplete';
    elseif ~strcmp(thrown.identifier, 'MATLAB:unittest:AssertionFailed')
        problem = getReport(thrown);
    end
end
if isempty(problem) && ~isempty(testCase.Failures)
    problem = strjoin(testCase.Failures, newline);
    state = 'failed';
end
end

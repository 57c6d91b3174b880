function results = runtests(varargin)
% runtests(name): run the tests of files, classes or folders; without a name those of this folder.
%   runtests(name, 'Name', N, 'ProcedureName', P, 'Tag', T, 'IncludeSubfolders', true) are those that
%   match. The results have the fields Name, Passed, Failed, Incomplete, Duration and Details.
if nargin > 0 && isa(varargin{1}, 'matlab.unittest.Test')
    tests = varargin{1};
else
    tests = testsuite(varargin{:});
end
results = matlab.unittest.TestResult.empty;
groups = {tests.Group};
for group = unique(groups, 'stable')
    results = [results, together(group{1}, tests(strcmp(groups, group{1})))]; %#ok<AGROW>
end
if isempty(tests) && nargin == 0 && ~isempty(testsuite('IncludeSubfolders', true))
    fprintf('No tests in %s itself; runtests(''IncludeSubfolders'', true) runs those below it.\n', pwd);
elseif nargout == 0
    fprintf('%d passed, %d failed, %d incomplete in %.3g s.\n', nnz([results.Passed]), ...
        nnz([results.Failed]), nnz([results.Incomplete]), sum([results.Duration]));
end
end

function results = together(group, tests)
% The tests of one file share what is set up once.
fprintf('Running %s\n', group);
if ~isempty(tests(1).BaseFolder)
    before = addpath(tests(1).BaseFolder);
    restore = onCleanup(@() path(before));
end
results = matlab.unittest.TestResult.empty;
try
    [testCase, tests] = matlab.unittest.internal.prepared(tests);
catch thrown
    for k = 1:numel(tests)
        results(k) = told(tests(k), getReport(thrown), 'failed', 0);
    end
    return
end
[report, state] = attempt(testCase, tests(1).Actions.Once);
for k = 1:numel(tests)
    started = tic;
    if isempty(report)
        [problem, found] = one(matlab.internal.copyOf(testCase), tests(k).Actions);
    else
        [problem, found] = deal(report, state);
    end
    results(k) = told(tests(k), problem, found, toc(started));
end
[report, state] = attempt(testCase, [tests(1).Actions.Finally, {@finish}]);
if ~isempty(report)
    fprintf('\n%s %s when all its tests were over:\n%s\n', group, state, report);
end
fprintf('\nDone %s\n', group);
end

function result = told(test, problem, state, seconds)
% The result of a test, which is also told to whoever shows tests.
result = matlab.unittest.TestResult(test.Name, state, seconds, problem);
matlab.unittest.internal.report(test.Name, state, seconds, problem);
mark = '.';
if ~isempty(problem)
    mark = sprintf('\n%s %s:\n%s\n', test.Name, state, problem);
end
fprintf('%s', mark);
end

function [problem, state] = one(testCase, actions)
% Set up, run and take down one test, on a copy of what is set up for all of them.
testCase.Failures = {};
testCase.Teardown = {};
[problem, state] = attempt(testCase, [actions.Setup, {actions.Run}]);
[late, lateState] = attempt(testCase, [actions.Teardown, {@finish}]);
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
    if any(strcmp(thrown.identifier, {'MATLAB:unittest:AssumptionFailed', 'moxUnit:testSkipped'}))
        state = 'incomplete';
    elseif ~strcmp(thrown.identifier, 'MATLAB:unittest:AssertionFailed')
        report = getReport(thrown);  % without the runner's own frames
        problem = regexprep(report, '\n+Error in (@\(testCase\)|attempt \().*$', '');
    end
end
if isempty(problem) && ~isempty(testCase.Failures)
    problem = strjoin(testCase.Failures, newline);
    state = 'failed';
end
end

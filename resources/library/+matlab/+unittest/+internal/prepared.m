function [testCase, tests] = prepared(tests)
% What the tests of one file run on, and the tests with what each of them does.
testCase = matlab.unittest.TestCase();
switch tests(1).Kind
    case 'class'
        [testCase, tests] = ofClass(tests);
    case 'function'
        known = feval(tests(1).Group);
        names = {known.ProcedureName};
        for k = 1:numel(tests)
            tests(k).Actions = known(strcmp(names, tests(k).ProcedureName)).Actions;
        end
    case 'moxunit'  % set up and taken down by themselves
        known = matlab.unittest.internal.functionsof(tests(1).File);
        names = cellfun(@func2str, known, 'UniformOutput', false);
        for k = 1:numel(tests)
            called = known{strcmp(names, tests(k).ProcedureName)};
            given = {};
            if nargin(called) > 0
                given = {MOxUnitFunctionHandleTestCase(tests(k).ProcedureName, tests(k).File, called)};
            end
            tests(k).Actions = alone(@(testCase) called(given{:}));
        end
    case 'script'
        for k = 1:numel(tests)
            test = tests(k);
            run = @(testCase) matlab.unittest.internal.runsection(test.File, test.Line, test.Last);
            tests(k).Actions = alone(run);
        end
end
end

function actions = alone(run)
% A test without anything before or after it.
actions = struct('Run', run, 'Setup', {{}}, 'Teardown', {{}}, 'Once', {{}}, 'Finally', {{}});
end

function [testCase, made] = ofClass(tests)
% The object of the class, and its methods with their parameters.
testCase = feval(tests(1).TestClass);
description = metaclass(testCase);
listed = description.MethodList;
named = @(role) {listed([listed.(role)]).Name};
wrapped = @(role, given) cellfun(@(m) called(testCase, m, given), named(role), 'UniformOutput', false);
nothing = tests(1).ClassSetup([]);
fixtures = matlab.unittest.internal.sharedfixtures(testCase);
applied = cellfun(@(f) @(testCase) testCase.applyFixture(f), fixtures, 'UniformOutput', false);
once = [applied, wrapped('TestClassSetup', tests(1).ClassSetup)];
shared = struct('Run', [], 'Setup', {{}}, 'Teardown', {wrapped('TestMethodTeardown', nothing)}, ...
    'Once', {once}, 'Finally', {wrapped('TestClassTeardown', nothing)});
made = matlab.unittest.Test.empty;
for test = tests
    for choice = choices(testCase, test)
        one = test;
        one.Actions = shared;
        one.Actions.Setup = wrapped('TestMethodSetup', test.MethodSetup);
        values = choice{1}.Values;
        method = test.ProcedureName;
        one.Actions.Run = @(testCase) feval(method, testCase, values{:});
        one.Name = choice{1}.Name;
        made(end + 1) = one; %#ok<AGROW>
    end
end
end

function action = called(testCase, method, given)
% A method as something to do with a test case, with the values of parameters it is given.
values = picked(testCase, given(strcmp({given.Method}, method)));
action = @(testCase) feval(method, testCase, values{:});
end

function values = picked(testCase, given)
% The values of parameters.
values = arrayfun(@(p) value(testCase.(p.Property), p.Number), given, 'UniformOutput', false);
end

function found = choices(testCase, test)
% The values of a method's parameters, and the name of the test with each of them.
given = test.Parameterization;
if ~isempty(given)
    found = {struct('Name', test.Name, 'Values', {picked(testCase, given)})};
    return
end
found = {struct('Name', test.Name, 'Values', {{}})};
for name = test.Unknown
    all = testCase.(name{1});
    count = numel(all);
    if isstruct(all)
        count = numel(fieldnames(all));
    end
    more = {};
    for before = found
        for k = 1:count
            next = before{1};
            next.Values{end + 1} = value(all, k);
            next.Name = sprintf('%s(%s=value%d)', next.Name, name{1}, k);
            more{end + 1} = next; %#ok<AGROW>
        end
    end
    found = more;
end
end

function one = value(all, number)
% The value of that number in a cell, or in the fields of a struct.
if isstruct(all)
    names = fieldnames(all);
    one = all.(names{number});
else
    one = all{number};
end
end

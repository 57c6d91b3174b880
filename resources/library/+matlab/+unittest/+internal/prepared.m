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
define(testCase, listed, tests(1).ClassSetup);
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

function define(testCase, listed, given)
% The values of parameters that methods with TestParameterDefinition compute.
for method = reshape(listed([listed.TestParameterDefinition]), 1, [])
    from = cell(1, numel(method.InputNames));
    for k = 1:numel(from)
        name = method.InputNames{k};
        known = given(strcmp({given.Property}, name));
        number = 1;
        if ~isempty(known), number = known(1).Number; end
        from{k} = value(testCase.(name), number);
    end
    to = cell(1, numel(method.OutputNames));
    [to{:}] = feval([class(testCase), '.', method.Name], from{:});
    for k = 1:numel(to)
        testCase.(method.OutputNames{k}) = to{k};
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
found = {struct('Name', '', 'Values', {{}})};
before = [reshape(test.ClassSetup, 1, []), reshape(test.MethodSetup, 1, [])];
for name = test.Unknown
    all = testCase.(name{1});
    labels = labelled(all);
    fixed = before(strcmp({before.Property}, name{1}));
    more = {};
    for made = found
        for k = 1:numel(labels)
            if ~isempty(fixed) && fixed(1).Number ~= k, continue, end
            next = made{1};
            next.Values{end + 1} = value(all, k);
            if isempty(fixed)
                next.Name = sprintf('%s,%s=%s', next.Name, name{1}, labels{k});
            end
            more{end + 1} = next; %#ok<AGROW>
        end
    end
    found = more;
end
for k = 1:numel(found)
    if isempty(found{k}.Name)
        found{k}.Name = test.Name;
    else
        found{k}.Name = sprintf('%s(%s)', test.Name, found{k}.Name(2:end));
    end
end
end

function labels = labelled(all)
% What the values of a parameter are called: by their fields, their texts or their numbers.
if isstruct(all)
    labels = fieldnames(all)';
elseif iscellstr(all) && ~any(~cellfun(@isvarname, all)) && numel(unique(all)) == numel(all)
    labels = reshape(all, 1, []);
else
    labels = arrayfun(@(k) sprintf('value%d', k), 1:numel(all), 'UniformOutput', false);
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

function tests = functiontests(functions)
% functiontests(localfunctions): the tests of a file of functions whose names begin or end with test.
%   setup and teardown run around every test, setupOnce and teardownOnce around all of them.
names = cellfun(@func2str, functions, 'UniformOutput', false);
named = ~cellfun('isempty', regexpi(names, '^test|test$', 'once'));
fixture = @(name) functions(strcmpi(names, name));
stack = dbstack(1);
origin = 'tests';
if ~isempty(stack)
    origin = stack(1).name;
end
tests = matlab.unittest.Test.empty;
chosen = functions(named);
for k = 1:numel(chosen)
    name = func2str(chosen{k});
    actions = struct('Run', chosen{k}, 'Setup', {fixture('setup')}, 'Teardown', ...
        {fixture('teardown')}, 'Once', {fixture('setupOnce')}, 'Finally', {fixture('teardownOnce')});
    tests(k) = matlab.unittest.Test(struct('Name', [origin, '/', name], 'ProcedureName', name, ...
        'Group', origin, 'Actions', actions));
end
end

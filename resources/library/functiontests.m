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
tests = struct('Name', {}, 'Run', {}, 'Setup', {}, 'Teardown', {}, 'Once', {}, 'Finally', {});
chosen = functions(named);
for k = 1:numel(chosen)
    tests(k) = struct('Name', [origin, '/', func2str(chosen{k})], 'Run', chosen{k}, ...
        'Setup', {fixture('setup')}, 'Teardown', {fixture('teardown')}, ...
        'Once', {fixture('setupOnce')}, 'Finally', {fixture('teardownOnce')});
end
end

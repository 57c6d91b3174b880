function runfile(file, names)
% Run those tests of a file that have these names.
tests = testsuite(file);
runtests(tests(ismember({tests.Name}, names)));
end

function r = thrower(x), error('a:b', 'boom'); end
r = cellfun(@(x) error('boom'), {1, 2}, 'ErrorHandler', @(e, x) x * 10); disp(r);
q = cellfun(@thrower, {1}, 'ErrorHandler', @(e, x) {e.message, e.index}, 'UniformOutput', false); disp(q{1}{1}); disp(q{1}{2});

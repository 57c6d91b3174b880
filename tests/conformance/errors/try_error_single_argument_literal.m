% oracle: one argument is taken literally
try, error('100% sure\n'); catch e, disp(e.message), end
try, error('not:an id'); catch e, disp(e.message), disp(isempty(e.identifier)), end

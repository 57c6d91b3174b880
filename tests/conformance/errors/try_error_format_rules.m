try, error('no newline %d'); catch e, disp(e.message), end
try, error('with %d values %s', 3, 'x'); catch e, disp(e.message), end
try, error('id:only', 'hello'); catch e, disp(e.identifier), end

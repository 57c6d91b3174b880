try, error('abc'); catch, end, disp(lasterr());

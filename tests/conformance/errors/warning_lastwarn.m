warning('off', 'all'); warning('a:b', 'text %d', 1); [m, id] = lastwarn(); disp(m); disp(id); warning('on', 'all'); lastwarn('set', 'c:d'); [m, id] = lastwarn(); disp(id);

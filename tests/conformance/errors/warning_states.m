% oracle: the state of one warning
s = warning('off', 'my:id'); warning('my:id', 'not shown'); q = warning('query', 'my:id'); disp(q.state); warning('on', 'my:id'); q = warning('query', 'my:id'); disp(q.state);

% oracle: classes
addpath('support'); m(2) = Money(5); disp(numel(m)); disp(m(1).v); disp([m.v]); m(1).v = 3; disp(sum([m.v])); n = m; n(2).v = 0; disp(m(2).v);

s(2).p.q = 3; disp(s(2).p.q); disp(isempty(s(1).p)); s(2).p.r(4) = 1; disp(s(2).p.r); s(3).c{2} = 'z'; disp(s(3).c{2});
s(1).m = magic(3); disp(s(1).m(2,3)); s(1).m(2,:) = []; disp(size(s(1).m)); s(1).m(1,1) = 99; disp(s(1).m(1));

% oracle: classes
addpath('support'); q = Square(4); disp(q.area()); try, Shape(); catch e, disp(e.identifier), end
disp(superclasses(q));

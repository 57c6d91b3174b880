for k = int8(1):int8(2), disp(class(k)); end
for k = single([1 2]), disp(class(k)); end
for k = [true false], disp(class(k)); end

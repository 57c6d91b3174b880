% Integers of every class join text as characters; what is out of range is the nearest character.
for c = {'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'}
  v = cast([72 105], c{1}); t = [v '!']; printf('%s %s %s\n', class(t), t, ['<' v '>']);
end
disp([int16([65; 66]) ['a'; 'b']]), s.x = int8(88); disp([s.x 'y']), disp(class(['' int8(65)]))
f = @(n) ['n' uint8(n)]; disp(f(49)), disp(numel([int8([]) 'ab']))
disp(norm([3 4; 6 8], [], 'rows')'), disp(norm([3 4; 6 8], 2, 'rows')')

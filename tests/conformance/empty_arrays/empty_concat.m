[[] 1 []]
size([zeros(1, 0); 1])
size([zeros(0, 3); ones(2, 3)])
[ '' 'a' ]

m = ['ab'; 'cd']
m(2, :)
size(char('a', 'bcd'))
char({'xy', 'z'})
m(:)'

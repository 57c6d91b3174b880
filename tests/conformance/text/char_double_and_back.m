double('AZ')
char([72 105])
char(65:70)
num2str(65), str2num('3+4'), str2double('2.5'), str2double('x')

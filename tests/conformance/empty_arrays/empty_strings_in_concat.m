['a' '' 'b'], size(['' ; '']), strcat('a', ''), isempty([' ' '']), size([ '' 'abc'; '' 'def'])

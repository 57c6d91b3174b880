try, ['ab'; 'cde'], catch, disp('lengths differ'), end
strvcat('ab', 'cde')

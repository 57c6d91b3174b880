% options of imwrite for TIFF, PNG and JPEG files, and what imfinfo says of pages
f=[tempname '.tif'];
imwrite(uint8(magic(4)),f,'Resolution',300,'Description','first','Compression','lzw');
imwrite(uint8(magic(4))+1,f,'WriteMode','append'); imwrite(uint8(magic(4))+2,f,'WriteMode','append','Compression','none');
i=imfinfo(f); numel(i), i(1).XResolution, i(1).ImageDescription, i(1).Compression, i(1).ResolutionUnit
isequal(imread(f,2),uint8(magic(4))+1), isequal(imread(f,3),uint8(magic(4))+2), isequal(imread(f),uint8(magic(4))), isequal(imread(f,'Index',3),uint8(magic(4))+2)
imwrite(uint16(1000*magic(3)),f,'tif','WriteMode','overwrite','Compression','none'); numel(imfinfo(f)), imread(f)
g=[tempname '.tif']; imwrite(magic(4)>8,g,'Compression','fax4'); isequal(imread(g),magic(4)>8), imfinfo(g).Compression
imwrite(repmat(uint8(magic(4)),1,1,3),g,'Compression','deflate','Resolution',[72 96]); imfinfo(g).YResolution
for c={'none','packbits','lzw','deflate'}, imwrite(uint8(magic(9)),g,'Compression',c{1}); assert(isequal(imread(g),uint8(magic(9)))), disp(imfinfo(g).Compression), end
p=[tempname '.png']; imwrite(uint8(magic(4)),p,'XResolution',3000,'YResolution',3000,'ResolutionUnit','meter','Author','Ada','Comment','x');
isequal(imread(p),uint8(magic(4)))
j=[tempname '.jpg']; imwrite(uint8(magic(8)),j,'Mode','lossy','Quality',90,'Comment','hi');
imwrite(uint8(magic(8)),j); d=dir(j); d.bytes>0
try, imwrite(uint8(1),f,'Compression','zip'), catch e, disp(e.message), end
try, imwrite(uint8(1),f,'Compression','fax3'), catch e, disp(e.message), end
try, imwrite(uint8(1),f,'WriteMode','add'), catch e, disp(e.message), end
try, imwrite(uint8(1),p,'WriteMode','append'), catch e, disp(e.message), end
try, imwrite(uint8(1),j,'Mode','lossless'), catch e, disp(e.message), end
cellfun(@delete, {f, g, p, j})

# ${FILE}.inc: its bytes, for the inside of an array's braces. Run as a script while building.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${FILE}.inc "${bytes}\n")

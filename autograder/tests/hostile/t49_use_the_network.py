# threat 49: connects, listens and sends, over every family of sockets
# needs: standard
import socket

reached = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, 16, 17):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            reached.append(socket.socket(family, kind))
        except OSError:
            pass
assert not reached, reached
